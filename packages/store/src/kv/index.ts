export type { ReportError } from './channels.ts'
export { type ConnectKvOptions, connectKv } from './connect-kv.ts'
export type { IpcEnd } from './ipc.ts'
export { deleteByPrefix, keysOf } from './keys-of.ts'
export type {
  CounterBounds,
  CounterChange,
  Expiring,
  Expiry,
  KeyPage,
  Kv,
  KvState,
  MessageHandler,
  SubscribeOptions,
  WindowCount,
  WindowLimit,
} from './kv.ts'
export { holdLease, type Lease, type LeaseHolder, type LeaseOptions } from './lease.ts'
export { createMemoryKv, type MemoryKvOptions } from './memory-kv.ts'
export { createRedisKv, type RedisKvOptions } from './redis-kv.ts'
export { type ServeKvOptions, serveKv } from './serve-kv.ts'
export {
  createRedisSessionStore,
  type RedisSessionStore,
  type RedisSessionStoreOptions,
} from './sessions/redis-session-store.ts'
export { createTypedValues, type TypedValues, type TypedValuesOptions } from './typed-values.ts'
