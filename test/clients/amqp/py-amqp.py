# python3 py-amqp.py URL QUEUE
import sys
from urllib.parse import urlparse

import amqp

_, url, queue = sys.argv
place = urlparse(url)
connection = amqp.Connection(
    host=f'{place.hostname}:{place.port}', userid=place.username, password=place.password
)
connection.connect()
channel = connection.channel()
channel.queue_declare(queue, durable=True, auto_delete=False)
channel.basic_publish(amqp.Message('hello'), routing_key=queue)
bodies = []


def take(message):
    message.channel.basic_ack(message.delivery_tag)
    bodies.append(message.body)


channel.basic_consume(queue, callback=take)
while not bodies:
    connection.drain_events(timeout=10)
print('got', bodies[0])
connection.close()
