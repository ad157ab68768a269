export { type Backup, makeBackup } from './make-backup.ts'
export type { DatabasePlace } from './manifest.ts'
export { type Restored, restoreBackup } from './restore-backup.ts'
export { assertRestored } from './unfinished.ts'
