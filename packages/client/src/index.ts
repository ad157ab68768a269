export { type Client, type ClientOptions, createClient } from './client.ts'
export { ClientError, type ClientErrorFields, isClientError } from './client-error.ts'
export type { CallOptions, QueryOf } from './http/index.ts'
export { pause } from './pause.ts'
export type {
  ChatSocket,
  CloseReason,
  ConnectOptions,
  SentMessage,
  SocketConstructor,
  SocketLike,
  SocketState,
} from './socket/index.ts'
