export type { Link } from './contract.ts'
export { openLocal } from './open-local.ts'
export { openRemote } from './open-remote.ts'
