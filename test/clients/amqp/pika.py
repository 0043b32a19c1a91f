# python3 pika.py URL QUEUE
import sys

# Not this file.
sys.path.pop(0)
import pika

_, url, queue = sys.argv
connection = pika.BlockingConnection(pika.URLParameters(url))
channel = connection.channel()
channel.queue_declare(queue, durable=True)
channel.basic_publish('', queue, b'hello')
for method, _properties, body in channel.consume(queue):
    channel.basic_ack(method.delivery_tag)
    print('got', body.decode())
    break
channel.cancel()
connection.close()
