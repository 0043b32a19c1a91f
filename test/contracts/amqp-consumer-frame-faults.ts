import type { Refusal } from '../support/amqp/refusal-script.ts';

/**
 * Invalid frames and methods, with the errors of RabbitMQ 3.10. The embedded broker sends the same unless the
 * row names a difference.
 */
export const FRAME_FAULTS: readonly Refusal[] = [
  {
    name: 'a channel opened twice',
    steps: [['channel.open']],
    says: "connection 504 CHANNEL_ERROR - second 'channel.open' seen (20.10)",
  },
  {
    name: 'a channel that is not open',
    steps: [{ on: 7, method: 'basic.qos' }],
    says: "connection 504 CHANNEL_ERROR - expected 'channel.open' (60.10)",
  },
  {
    name: 'an answer that only a broker gives',
    steps: [['queue.declare-ok']],
    says: 'connection 503 COMMAND_INVALID - unimplemented method (50.11)',
  },
  {
    name: 'the answer to a close that nobody asked for',
    steps: [['channel.close-ok']],
    says: 'connection 503 COMMAND_INVALID - unimplemented method (20.41)',
  },
  {
    name: 'a method of connections on a channel',
    steps: [['connection.open', { virtualHost: '/' }]],
    says: 'connection 503 COMMAND_INVALID - unimplemented method (10.40)',
  },
  {
    name: 'a method of channels on channel 0',
    steps: [{ on: 0, method: 'basic.qos' }],
    says: 'connection 504 CHANNEL_ERROR - unexpected method in connection state running (60.10)',
  },
  {
    name: 'a second connection.open',
    steps: [{ on: 0, method: 'connection.open', args: { virtualHost: '/' } }],
    says: 'connection 504 CHANNEL_ERROR - unexpected method in connection state running (10.40)',
  },
  {
    name: 'a second sign-in',
    steps: [{ on: 0, method: 'connection.start-ok' }],
    says: 'connection 504 CHANNEL_ERROR - unexpected method in connection state running (10.11)',
  },
  {
    name: 'a content header without a publication',
    steps: [{ bytes: [2, 0, 1, 0, 0, 0, 14, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 206] }],
    says: 'connection 505 UNEXPECTED_FRAME - expected method frame, got non method frame instead (0.0)',
  },
  {
    name: 'a body without a publication',
    steps: [{ bytes: [3, 0, 1, 0, 0, 0, 1, 0, 206] }],
    says: 'connection 505 UNEXPECTED_FRAME - expected method frame, got non method frame instead (0.0)',
  },
  {
    name: 'a body on a channel that is not open',
    steps: [{ bytes: [3, 0, 9, 0, 0, 0, 1, 0, 206] }],
    says: 'connection 505 UNEXPECTED_FRAME - expected method frame, got non method frame instead (0.0)',
  },
  {
    name: 'a method in place of a content header',
    steps: [['basic.publish', { routingKey: 'k' }], ['basic.qos']],
    says: 'connection 505 UNEXPECTED_FRAME - expected content header for class 60, got non content header frame instead (60.40)',
  },
  {
    name: 'a body in place of a content header',
    steps: [['basic.publish', { routingKey: 'k' }], { bytes: [3, 0, 1, 0, 0, 0, 1, 0, 206] }],
    says: 'connection 505 UNEXPECTED_FRAME - expected content header for class 60, got non content header frame instead (60.40)',
  },
  {
    name: 'a content header of another class',
    steps: [
      ['basic.publish', { routingKey: 'k' }],
      { bytes: [2, 0, 1, 0, 0, 0, 14, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 206] },
    ],
    says: 'connection 505 UNEXPECTED_FRAME - expected content header for class 60, got one for class 50 instead (60.40)',
  },
  {
    name: 'a method in place of a body',
    steps: [
      ['basic.publish', { routingKey: 'k' }],
      { bytes: [2, 0, 1, 0, 0, 0, 14, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 206] },
      ['basic.qos'],
    ],
    says: 'connection 505 UNEXPECTED_FRAME - expected content body, got non content body frame instead (60.40)',
  },
  {
    name: 'a second content header',
    steps: [
      ['basic.publish', { routingKey: 'k' }],
      { bytes: [2, 0, 1, 0, 0, 0, 14, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 206] },
      { bytes: [2, 0, 1, 0, 0, 0, 14, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 206] },
    ],
    says: 'connection 505 UNEXPECTED_FRAME - expected content body, got non content body frame instead (60.40)',
  },
  {
    name: 'a body longer than announced',
    steps: [
      ['basic.publish', { routingKey: 'k' }],
      { bytes: [2, 0, 1, 0, 0, 0, 14, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 206] },
      { bytes: [3, 0, 1, 0, 0, 0, 3, 0, 0, 0, 206] },
      ['basic.qos'],
    ],
    says: 'connection 505 UNEXPECTED_FRAME - expected content body, got non content body frame instead (60.40)',
  },
  {
    name: 'a content header that cannot be read',
    steps: [
      ['basic.publish', { routingKey: 'k' }],
      { bytes: [2, 0, 1, 0, 0, 0, 16, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 9, 1, 206] },
    ],
    says: 'connection 541 INTERNAL_ERROR (0.0)',
    embedded: {
      says: 'connection 502 SYNTAX_ERROR - the content header cannot be read: it ends too early (60.40)',
      because: 'plain-words',
    },
  },
  {
    name: 'a class that does not exist',
    steps: [{ bytes: [1, 0, 1, 0, 0, 0, 4, 0, 99, 0, 99, 206] }],
    says: 'nothing, and hangs up',
    embedded: {
      says: 'connection 503 COMMAND_INVALID - unknown method (class 99, method 99) (0.0)',
      because: 'unknown-method',
    },
  },
  {
    name: 'a method that does not exist',
    steps: [{ bytes: [1, 0, 1, 0, 0, 0, 4, 0, 50, 0, 99, 206] }],
    says: 'nothing, and hangs up',
    embedded: {
      says: 'connection 503 COMMAND_INVALID - unknown method (class 50, method 99) (0.0)',
      because: 'unknown-method',
    },
  },
  {
    name: 'arguments that end too early',
    steps: [{ bytes: [1, 0, 1, 0, 0, 0, 5, 0, 50, 0, 10, 0, 206] }],
    says: 'connection 501 FRAME_ERROR - cannot decode <<0>> (50.10)',
    embedded: {
      says: 'connection 501 FRAME_ERROR - the arguments of class 50, method 10 cannot be read: it ends too early (50.10)',
      because: 'plain-words',
    },
  },
  {
    name: 'bytes behind the arguments',
    steps: [{ bytes: [1, 0, 1, 0, 0, 0, 6, 0, 20, 0, 20, 1, 9, 206] }],
    says: 'connection 501 FRAME_ERROR - cannot decode <<1,9>> (20.20)',
    embedded: {
      says: 'connection 501 FRAME_ERROR - the arguments of class 20, method 20 cannot be read: bytes follow the arguments (20.20)',
      because: 'plain-words',
    },
  },
  {
    name: 'a method frame without a method',
    steps: [{ bytes: [1, 0, 1, 0, 0, 0, 0, 206] }],
    says: 'connection 501 FRAME_ERROR - type 1, all octets = <<>>: unknown_frame (0.0)',
    embedded: {
      says: 'connection 501 FRAME_ERROR - the arguments of class 0, method 0 cannot be read: it ends too early (0.0)',
      because: 'plain-words',
    },
  },
  {
    name: 'a wrong end octet',
    steps: [{ bytes: [1, 0, 1, 0, 0, 0, 4, 0, 20, 0, 20, 205] }],
    says: 'connection 501 FRAME_ERROR - type 1, all octets = <<0,20,0,20>>: {invalid_frame_end_marker,205} (0.0)',
    embedded: {
      says: 'connection 501 FRAME_ERROR - type 1, the frame of 4 bytes has a wrong end octet (0.0)',
      because: 'plain-words',
    },
  },
  {
    name: 'a frame of an unknown type',
    steps: [{ bytes: [9, 0, 1, 0, 0, 0, 1, 0, 206] }],
    says: 'connection 501 FRAME_ERROR - type 9, all octets = <<0>>: unknown_frame (0.0)',
    embedded: { says: 'connection 501 FRAME_ERROR - type 9 is unknown (0.0)', because: 'plain-words' },
  },
  {
    name: 'a frame above frame_max',
    steps: [{ bytes: [1, 0, 1, 0, 2, 0, 1, 0, 206] }],
    says: 'connection 501 FRAME_ERROR - type 1, all octets = <<>>: {frame_too_large,131073,131064} (0.0)',
    embedded: {
      says: 'connection 501 FRAME_ERROR - type 1, a payload of 131073 bytes is larger than frame_max 131072 allows (0.0)',
      because: 'plain-words',
    },
  },
  {
    name: 'a frame of two gigabytes',
    steps: [{ bytes: [1, 0, 1, 127, 255, 255, 255] }],
    says: 'connection 501 FRAME_ERROR - type 1, all octets = <<>>: {frame_too_large,2147483647,131064} (0.0)',
    embedded: {
      says: 'connection 501 FRAME_ERROR - type 1, a payload of 2147483647 bytes is larger than frame_max 131072 allows (0.0)',
      because: 'plain-words',
    },
  },
  {
    name: 'a heartbeat on a channel',
    steps: [{ bytes: [8, 0, 1, 0, 0, 0, 0, 206] }],
    says: 'connection 505 UNEXPECTED_FRAME - type 8, all octets = <<>> (0.0)',
    embedded: {
      says: 'connection 505 UNEXPECTED_FRAME - a frame of type 8 on channel 1 is out of place (0.0)',
      because: 'plain-words',
    },
  },
  {
    name: 'a heartbeat with a payload',
    steps: [{ bytes: [8, 0, 0, 0, 0, 0, 1, 7, 206] }],
    says: 'connection 501 FRAME_ERROR - type 8, all octets = <<7>>: unknown_frame (0.0)',
    embedded: {
      says: 'connection 501 FRAME_ERROR - a heartbeat has a payload of 1 bytes (0.0)',
      because: 'plain-words',
    },
  },
  {
    name: 'a content header on channel 0',
    steps: [{ bytes: [2, 0, 0, 0, 0, 0, 1, 0, 206] }],
    says: 'connection 501 FRAME_ERROR - type 2, all octets = <<0>>: unknown_frame (0.0)',
    embedded: {
      says: 'connection 505 UNEXPECTED_FRAME - a frame of type 2 on channel 0 is out of place (0.0)',
      because: 'plain-words',
    },
  },
];
