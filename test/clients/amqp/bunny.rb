# ruby bunny.rb URL QUEUE
require 'bunny'
url, name = ARGV
connection = Bunny.new(url)
connection.start
channel = connection.create_channel
queue = channel.queue(name, durable: true)
queue.publish('hello')
bodies = Queue.new
queue.subscribe(manual_ack: true) do |delivery, _properties, body|
  channel.ack(delivery.delivery_tag)
  bodies << body
end
puts "got #{bodies.pop}"
connection.close
