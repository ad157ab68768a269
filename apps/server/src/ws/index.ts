export { addSockets, type Identify } from './add-sockets.ts'
export { tellNews } from './news.ts'
export { createSockets, type Sockets } from './sockets.ts'
