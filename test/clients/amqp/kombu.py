# python3 kombu.py URL QUEUE
import sys

# Not this file.
sys.path.pop(0)
from kombu import Connection

_, url, name = sys.argv
with Connection(url) as connection:
    queue = connection.SimpleQueue(name)
    queue.put('hello')
    message = queue.get(timeout=10)
    message.ack()
    print('got', message.payload)
    queue.close()
