# python3 aio-pika.py URL QUEUE
import asyncio
import sys

# Not the files beside this one.
sys.path.pop(0)
import aio_pika

_, url, name = sys.argv


async def main():
    connection = await aio_pika.connect_robust(url)
    async with connection:
        channel = await connection.channel()
        queue = await channel.declare_queue(name, durable=True)
        await channel.default_exchange.publish(aio_pika.Message(b'hello'), routing_key=name)
        async with queue.iterator() as messages:
            async for message in messages:
                async with message.process():
                    print('got', message.body.decode())
                break


asyncio.run(main())
