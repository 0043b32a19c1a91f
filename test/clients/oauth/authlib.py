# python3 authlib.py API CLIENT_ID CLIENT_SECRET REDIRECT_URI
import os
import sys

# Not this file.
sys.path.pop(0)
os.environ['AUTHLIB_INSECURE_TRANSPORT'] = '1'
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

_, api, client_id, client_secret, redirect_uri = sys.argv
token_url = api + '/auth/oauth/token'

machine = OAuth2Session(client_id, client_secret, scope='VEHICLES_RO')
print('machine', machine.fetch_token(token_url, grant_type='client_credentials')['scope'])

verifier = generate_token(48)
session = OAuth2Session(
    client_id,
    client_secret,
    scope='openid VEHICLES_RO',
    redirect_uri=redirect_uri,
    code_challenge_method='S256',
)
url, _state = session.create_authorization_url(api + '/auth/oauth/authorize', code_verifier=verifier)
print('open', url, flush=True)
token = session.fetch_token(
    token_url, authorization_response=sys.stdin.readline().strip(), code_verifier=verifier
)
print('person', token['scope'])
print('refreshed', session.refresh_token(token_url)['scope'])
print('vehicles', session.get(api + '/vehicles').status_code)
