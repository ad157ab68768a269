export { createChatSocket } from './chat-socket.ts'
export type {
  ChatSocket,
  CloseReason,
  ConnectOptions,
  SentMessage,
  SocketConstructor,
  SocketLike,
  SocketState,
} from './contract.ts'
