<?php // php php-amqplib.php URL QUEUE
require 'PhpAmqpLib/autoload.php';
[, $url, $queue] = $argv;
['host' => $host, 'port' => $port, 'user' => $user, 'pass' => $password] = parse_url($url);
$connection = new PhpAmqpLib\Connection\AMQPStreamConnection($host, $port, $user, $password);
$channel = $connection->channel();
$channel->queue_declare($queue, false, true, false, false);
$channel->basic_publish(new PhpAmqpLib\Message\AMQPMessage('hello'), '', $queue);
$channel->basic_qos(0, 10, false);
$body = null;
$channel->basic_consume($queue, '', false, false, false, false, function ($message) use (&$body) {
    $body = $message->body;
    $message->ack();
});
while ($body === null) {
    $channel->wait(null, false, 10);
}
echo "got $body\n";
$channel->close();
$connection->close();
