import type { WebSocketMessageInput } from '@dataagent/schema'
import type { SocketConstructor } from './contract.ts'

export interface ConnectionOptions {
  url: string
  WebSocket: SocketConstructor
  onOpen(): void
  onText(text: string): void
  /** Once, unless it was dropped. */
  onClose(code: number): void
}

/** One WebSocket, from its opening to its end. */
export interface Connection {
  send(message: WebSocketMessageInput): void
  /** Nothing is heard of it any more, at once: closing may take long where nobody answers. */
  drop(): void
}

const isOpenState = 1

export function openConnection(options: ConnectionOptions): Connection {
  const { url, WebSocket, onOpen, onText, onClose } = options
  const socket = new WebSocket(url)
  let isOver = false

  socket.addEventListener('open', () => {
    if (!isOver) onOpen()
  })
  socket.addEventListener('message', ({ data }) => {
    if (!isOver && typeof data === 'string') onText(data)
  })
  socket.addEventListener('close', ({ code }) => {
    if (isOver) return
    isOver = true
    onClose(code)
  })
  // Every error is followed by a close, which says more.
  socket.addEventListener('error', () => {})

  return {
    send(message) {
      if (!isOver && socket.readyState === isOpenState) socket.send(JSON.stringify(message))
    },
    drop() {
      isOver = true
      socket.close()
    },
  }
}
