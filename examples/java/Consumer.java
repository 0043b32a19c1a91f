import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Reads the states of a fleet into a file, one JSON object a line: each once, none lost. Java 17, the RabbitMQ client 5 and
 * SLF4J:
 *
 *     java -cp amqp-client.jar:slf4j-api.jar Consumer.java
 *
 *     API, CLIENT_ID, CLIENT_SECRET   the service, as `boxtwin up --verbose` shows it
 *     AMQP_CA                         the authority of the broker's certificate: .boxtwin/tls/ca.pem
 *     MESSAGES                        where the messages go (messages.ndjson)
 */
public final class Consumer {
  private static final String DISCRIMINATOR = "java";
  private static final long FIRST_PAUSE_MS = 500;
  private static final long LAST_PAUSE_MS = 15_000;
  /** So many are delivered ahead; what is not acknowledged comes again. */
  private static final int PREFETCH = 50;
  private static final Pattern MESSAGE_ID = Pattern.compile("\"message_id\":\"([0-9A-Z]{26})\"");

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final String api = System.getenv("API");
  private final Path file = Path.of(System.getenv().getOrDefault("MESSAGES", "messages.ndjson"));
  private final Path kept = file.resolveSibling(file.getFileName() + ".subscription");
  private final Set<String> known = new HashSet<>();
  private RandomAccessFile out;
  private String token;

  public static void main(String[] arguments) throws Exception {
    for (String name : new String[] {"API", "CLIENT_ID", "CLIENT_SECRET"})
      if (System.getenv().getOrDefault(name, "").isEmpty()) {
        System.err.println("Set " + name + ": \"npx boxtwin up --verbose\" shows it.");
        System.exit(2);
      }
    new Consumer().run();
  }

  private void run() throws Exception {
    openFile();
    for (int attempt = 0; ; attempt++) {
      try {
        if (read(subscription())) attempt = 0;
      } catch (IOException | java.util.concurrent.TimeoutException error) {
        System.err.println("the broker: " + error);
      }
      forgetDeleted();
      pause(attempt);
    }
  }

  /** Reads which messages are there already. A last line that a crash cut off is none: it was not acknowledged either. */
  private void openFile() throws IOException {
    byte[] all = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    int whole = all.length;
    while (whole > 0 && all[whole - 1] != '\n') whole--;
    new String(all, 0, whole, StandardCharsets.UTF_8).lines().forEach(line -> {
      Matcher found = MESSAGE_ID.matcher(line);
      if (found.find()) known.add(found.group(1));
    });
    out = new RandomAccessFile(file.toFile(), "rw");
    out.setLength(whole);
    out.seek(whole);
  }

  /** One connection, to its end; whether it was there at all. */
  private boolean read(String subscription) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(text(subscription, "host"));
    factory.setPort(Integer.parseInt(field(subscription, "\"port\":(\\d+)")));
    factory.setVirtualHost(text(subscription, "virtual_host"));
    factory.setUsername(text(subscription, "username"));
    factory.setPassword(text(subscription, "password"));
    factory.setRequestedHeartbeat(10);
    // From version 5.4 on also: factory.enableHostnameVerification().
    // Below it stands a loop that also knows what to do where the account is gone.
    factory.setAutomaticRecoveryEnabled(false);
    factory.useSslProtocol(trust());
    CountDownLatch ended = new CountDownLatch(1);
    try (Connection connection = factory.newConnection()) {
      connection.addShutdownListener(reason -> ended.countDown());
      Channel channel = connection.createChannel();
      channel.addShutdownListener(reason -> ended.countDown());
      channel.basicQos(PREFETCH);
      channel.basicConsume(field(subscription, "\"name\":\"([^\"]+)\""), false, new DefaultConsumer(channel) {
        @Override
        public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
            throws IOException {
          store(properties.getMessageId(), body);
          // On disk, so the broker may forget it. If this is lost the message comes again, and its id is known.
          channel.basicAck(envelope.getDeliveryTag(), false);
        }

        @Override
        public void handleCancel(String tag) {
          ended.countDown();
        }
      });
      System.out.println("connected");
      ended.await();
    } catch (com.rabbitmq.client.AlreadyClosedException alreadyGone) {
      return true;
    }
    return true;
  }

  /** In the file and on the disk when it returns. The body is JSON of one line. */
  private synchronized void store(String messageId, byte[] body) throws IOException {
    if (known.contains(messageId)) return;
    out.write((new String(body, StandardCharsets.UTF_8).replace("\n", " ") + "\n").getBytes(StandardCharsets.UTF_8));
    out.getFD().sync();
    known.add(messageId);
  }

  /** The subscription that was made before, or a new one: its password is told only once, so it is kept at once. */
  private String subscription() throws IOException, InterruptedException {
    if (Files.exists(kept)) return Files.readString(kept);
    String wish = "{\"queue_discriminator\":\"" + DISCRIMINATOR + "\",\"topics\":[\"VehicleState_v1\"]}";
    HttpResponse<String> answer = ask("POST", "/message-subscriptions", wish);
    if (answer.statusCode() == 409) {
      // It was made and its password never kept, as where this program died in between. Nothing was read there yet.
      String all = ask("GET", "/message-subscriptions", null).body();
      Matcher one = Pattern.compile("\"id\":\"([^\"]+)\",\"queue_discriminator\":\"" + DISCRIMINATOR + "\"").matcher(all);
      while (one.find()) ask("DELETE", "/message-subscriptions/" + one.group(1), null);
      answer = ask("POST", "/message-subscriptions", wish);
    }
    if (answer.statusCode() != 201) throw new IOException("There is no subscription: " + answer.body());
    Path fresh = Files.createTempFile(
        kept.toAbsolutePath().getParent(), "subscription", ".new",
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, answer.body());
    Files.move(fresh, kept, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    return answer.body();
  }

  /** Whoever deletes a subscription deletes its account, its queue and what was in it: the next one begins anew. */
  private void forgetDeleted() throws IOException, InterruptedException {
    if (!Files.exists(kept)) return;
    HttpResponse<String> all = ask("GET", "/message-subscriptions", null, 1);
    if (all == null || all.statusCode() != 200) return;
    if (!all.body().contains("\"id\":\"" + text(Files.readString(kept), "id") + "\"")) Files.delete(kept);
  }

  private HttpResponse<String> ask(String method, String path, String body) throws InterruptedException {
    return ask(method, path, body, Integer.MAX_VALUE);
  }

  /** Again and again until the service has answered: it may be starting, or the quota may be used up. Null: it has not. */
  private HttpResponse<String> ask(String method, String path, String body, int attempts) throws InterruptedException {
    long leastMs = 0;
    for (int attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) {
        Thread.sleep(leastMs);
        pause(attempt - 1);
      }
      leastMs = 0;
      try {
        if (token == null) {
          String client = System.getenv("CLIENT_ID") + ":" + System.getenv("CLIENT_SECRET");
          String basic = "Basic " + Base64.getEncoder().encodeToString(client.getBytes(StandardCharsets.UTF_8));
          HttpResponse<String> made = send("POST", "/auth/oauth/token?grant_type=client_credentials", basic, null);
          if (made.statusCode() == 200) token = text(made.body(), "access_token");
          else System.err.println("no token: " + made.statusCode());
        }
        if (token != null) {
          HttpResponse<String> answer = send(method, path, "Bearer " + token, body);
          int status = answer.statusCode();
          if (status != 401 && status != 429 && status < 500) return answer;
          if (status == 401) token = null;
          System.err.println(method + " " + path + ": " + status);
          leastMs = 1_000 * answer.headers().firstValueAsLong("retry-after").orElse(0);
        }
      } catch (IOException error) {
        System.err.println(method + " " + path + ": " + error);
      }
    }
    return null;
  }

  private HttpResponse<String> send(String method, String path, String authorization, String body)
      throws IOException, InterruptedException {
    HttpRequest.BodyPublisher json =
        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest request = HttpRequest.newBuilder(URI.create(api + path)).method(method, json)
        .header("authorization", authorization).header("content-type", "application/json")
        .timeout(Duration.ofSeconds(30)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static SSLContext trust() throws Exception {
    String file = System.getenv("AMQP_CA");
    if (file == null) return SSLContext.getDefault();
    KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
    authorities.load(null, null);
    try (InputStream pem = new FileInputStream(file)) {
      authorities.setCertificateEntry("broker", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(authorities);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /** A text of flat JSON without escapes, as the service writes ids, names and passwords. A program of yours has a parser. */
  private static String text(String json, String name) {
    return field(json, "\"" + name + "\":\"([^\"]*)\"");
  }

  private static String field(String json, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(json);
    if (!found.find()) throw new IllegalStateException(pattern + " is missing");
    return found.group(1);
  }

  /** Ever longer, and never the same for all clients that lost the service at the same time. */
  private static void pause(int attempt) throws InterruptedException {
    long longest = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(attempt, 10));
    Thread.sleep(ThreadLocalRandom.current().nextLong(longest / 2, longest));
  }
}
