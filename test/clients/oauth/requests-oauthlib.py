# python3 requests-oauthlib.py API CLIENT_ID CLIENT_SECRET REDIRECT_URI
import base64
import hashlib
import os
import secrets
import sys

os.environ['OAUTHLIB_INSECURE_TRANSPORT'] = '1'
from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth2Session

_, api, client_id, client_secret, redirect_uri = sys.argv
token_url = api + '/auth/oauth/token'

machine = OAuth2Session(client=BackendApplicationClient(client_id, scope=['VEHICLES_RO']))
print('machine', *machine.fetch_token(token_url, client_secret=client_secret)['scope'])

verifier = secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b'=').decode()
session = OAuth2Session(client_id, redirect_uri=redirect_uri, scope=['openid', 'VEHICLES_RO'])
url, _state = session.authorization_url(
    api + '/auth/oauth/authorize', code_challenge=challenge, code_challenge_method='S256'
)
print('open', url, flush=True)
token = session.fetch_token(
    token_url,
    authorization_response=sys.stdin.readline().strip(),
    client_secret=client_secret,
    code_verifier=verifier,
)
print('person', *token['scope'])
token = session.refresh_token(token_url, client_id=client_id, client_secret=client_secret)
print('refreshed', *token['scope'])
print('vehicles', session.get(api + '/vehicles').status_code)
