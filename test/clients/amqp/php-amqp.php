<?php // php php-amqp.php URL QUEUE
[, $url, $name] = $argv;
['host' => $host, 'port' => $port, 'user' => $user, 'pass' => $password] = parse_url($url);
$connection = new AMQPConnection(['host' => $host, 'port' => $port, 'login' => $user, 'password' => $password]);
$connection->connect();
$channel = new AMQPChannel($connection);
$queue = new AMQPQueue($channel);
$queue->setName($name);
$queue->setFlags(AMQP_DURABLE);
$queue->declareQueue();
(new AMQPExchange($channel))->publish('hello', $name);
$queue->consume(function ($message, $queue) {
    $queue->ack($message->getDeliveryTag());
    echo 'got ', $message->getBody(), "\n";
    return false;
});
$connection->disconnect();
