# bash amqp-tools.sh URL QUEUE: librabbitmq, by its command-line clients
set -euo pipefail
amqp-declare-queue -u "$1" -d -q "$2" >/dev/null
amqp-publish -u "$1" -r "$2" -b hello
echo "got $(amqp-consume -u "$1" -q "$2" -c 1 cat)"
