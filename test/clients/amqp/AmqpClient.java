// java -cp amqp-client.jar:slf4j-api.jar AmqpClient.java URL QUEUE
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.util.concurrent.SynchronousQueue;

public class AmqpClient {
  public static void main(String[] args) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(args[0]);
    Connection connection = factory.newConnection();
    // Spring Boot's health check asks this.
    connection.getServerProperties().get("version").toString();
    Channel channel = connection.createChannel();
    channel.queueDeclare(args[1], true, false, false, null);
    channel.basicPublish("", args[1], null, "hello".getBytes());
    channel.basicQos(250);
    SynchronousQueue<String> bodies = new SynchronousQueue<>();
    channel.basicConsume(args[1], false, new DefaultConsumer(channel) {
      @Override
      public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
          throws IOException {
        channel.basicAck(envelope.getDeliveryTag(), false);
        try {
          bodies.put(new String(body));
        } catch (InterruptedException interrupted) {
          throw new IOException(interrupted);
        }
      }
    });
    System.out.println("got " + bodies.take());
    connection.close();
  }
}
