export { createEventQueue } from './event-queue.ts'
export { toReplyText } from './reply-text.ts'
