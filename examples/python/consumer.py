"""Reads the messages of a fleet into an SQLite file: each once, none lost. Python 3.9 and pika 1.2 or newer.

    API, CLIENT_ID, CLIENT_SECRET   the service, as `boxtwin up --verbose` shows it
    AMQP_CA                         the authority of the broker's certificate: .boxtwin/tls/ca.pem
    DATABASE                        where the messages go (messages.sqlite)
"""

import base64
import json
import os
import random
import signal
import sqlite3
import ssl
import sys
import time
import urllib.error
import urllib.request

import pika
import pika.exceptions

TOPICS = ["VehicleState_v1", "VehicleDataChanged_v1"]
DISCRIMINATOR = os.environ.get("DISCRIMINATOR", "python")
FIRST_PAUSE_S, LAST_PAUSE_S = 0.5, 15
# So many are delivered ahead; what is not acknowledged comes again.
PREFETCH = 50


class Refused(Exception):
    """The service answered, and not with what was asked for."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {problem}")
        self.status = status


class Service:
    """The API. A token serves for many calls; every request here may be made twice."""

    def __init__(self):
        self.url = os.environ["API"]
        client = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"
        self.basic = "Basic " + base64.b64encode(client.encode()).decode()
        self.token = None

    def ask(self, method, path, body=None, attempts=sys.maxsize):
        """Again and again until the service has answered: it may be starting, or the quota may be used up. None: it has not."""
        for attempt in range(attempts):
            wait = back_off(attempt)
            try:
                if self.token is None:
                    grant = "/auth/oauth/token?grant_type=client_credentials"
                    self.token = self.send("POST", grant, self.basic)["access_token"]
                return self.send(method, path, "Bearer " + self.token, body)
            except urllib.error.HTTPError as error:
                if error.code == 401 and self.token is not None:
                    self.token = None  # it has expired
                    wait = 0 if attempt == 0 else wait
                elif error.code == 429:
                    wait = float(error.headers.get("Retry-After", 1))
                elif error.code < 500:
                    raise Refused(error.code, error.read().decode(errors="replace")) from None
                print(f"{method} {path}: {error.code}", file=sys.stderr)
            except (OSError, ValueError) as error:
                print(f"{method} {path}: {error}", file=sys.stderr)
            if attempt + 1 < attempts:
                time.sleep(wait)

    def send(self, method, path, authorization, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": authorization, "content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None


class Messages:
    """What was received. A message and its id are one commit, so that it counts once however often it comes."""

    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.executescript(
            """
            pragma journal_mode = wal;
            pragma synchronous = full;
            create table if not exists messages (message_id text primary key, queue text, redelivered int, body text);
            create table if not exists subscription (one int primary key check (one = 1), body text);
            """
        )

    def store(self, message_id, queue, redelivered, body):
        with self.db:  # commits, or rolls back
            row = (message_id, queue, redelivered, body)
            self.db.execute("insert into messages values (?, ?, ?, ?) on conflict do nothing", row)

    @property
    def subscription(self):
        row = self.db.execute("select body from subscription").fetchone()
        return None if row is None else json.loads(row[0])

    @subscription.setter
    def subscription(self, value):
        with self.db:
            self.db.execute("delete from subscription")
            if value is not None:
                self.db.execute("insert into subscription values (1, ?)", (json.dumps(value),))


def subscribed(service, messages):
    """The subscription that was made before, or a new one: its password is told only once, so it is kept at once."""
    if messages.subscription is None:
        wish = {"queue_discriminator": DISCRIMINATOR, "topics": TOPICS}
        try:
            messages.subscription = service.ask("POST", "/message-subscriptions", wish)
        except Refused as refused:
            if refused.status != 409:
                raise
            # It was made and its password never kept, as where this program died in between. Nothing was read there yet.
            for one in service.ask("GET", "/message-subscriptions")["items"]:
                if one["queue_discriminator"] == DISCRIMINATOR:
                    service.ask("DELETE", "/message-subscriptions/" + one["id"])
            messages.subscription = service.ask("POST", "/message-subscriptions", wish)
    return messages.subscription


def forget_deleted(service, messages):
    """Whoever deletes a subscription deletes its account, its queues and what was in them: the next one begins anew."""
    try:
        found = service.ask("GET", "/message-subscriptions", attempts=1)
    except Refused:
        return  # it may not look
    ids = None if found is None else [one["id"] for one in found["items"]]
    if ids is not None and messages.subscription is not None and messages.subscription["id"] not in ids:
        messages.subscription = None


def read(subscription, messages, connected):
    """One connection, to its end, which is an exception."""
    host = subscription["host"]
    trust = ssl.create_default_context(cafile=os.environ.get("AMQP_CA"))
    connection = pika.BlockingConnection(
        pika.ConnectionParameters(
            host,
            subscription["port"],
            subscription["virtual_host"],
            pika.PlainCredentials(subscription["username"], subscription["password"]),
            ssl_options=pika.SSLOptions(trust, host),
            heartbeat=10,
            blocked_connection_timeout=30,
        )
    )
    try:
        channel = connection.channel()
        channel.basic_qos(prefetch_count=PREFETCH)
        for queue in subscription["queues"]:
            channel.basic_consume(queue["name"], taker(queue["name"], messages))
        connected()
        channel.start_consuming()
    finally:
        if connection.is_open:
            connection.close()
    raise pika.exceptions.ConnectionClosed(200, "the queue was deleted")


def taker(queue, messages):
    def take(channel, method, properties, body):
        messages.store(properties.message_id, queue, method.redelivered, body.decode())
        # On disk, so the broker may forget it. If this is lost the message comes again, and its id is known.
        channel.basic_ack(method.delivery_tag)

    return take


def back_off(attempt):
    """Ever longer, and never the same for all clients that lost the service at the same time."""
    return min(LAST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(attempt, 10)) * random.uniform(0.5, 1)


def main():
    missing = [name for name in ("API", "CLIENT_ID", "CLIENT_SECRET") if not os.environ.get(name)]
    if missing:
        sys.exit(f"Set {', '.join(missing)}: 'npx boxtwin up --verbose' shows them.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    service, messages = Service(), Messages(os.environ.get("DATABASE", "messages.sqlite"))
    attempt = 0

    def connected():
        nonlocal attempt
        attempt = 0
        print("connected", flush=True)

    while True:
        try:
            read(subscribed(service, messages), messages, connected)
        except (pika.exceptions.AMQPError, OSError) as error:
            print(f"the broker: {error!r}", file=sys.stderr)
            forget_deleted(service, messages)
        time.sleep(back_off(attempt))
        attempt += 1


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
