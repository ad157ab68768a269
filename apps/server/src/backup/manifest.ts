import { z } from 'zod'

const path = z.string().min(1)
const mode = z.int().min(0).max(0o777)

/** What a backup says of itself. It is written last: without it the backup is not whole. */
export const manifestSchema = z.strictObject({
  kind: z.literal('dataagent-backup'),
  format: z.literal(1),
  /** Of the program that made it. */
  version: z.string(),
  made_at: z.int(),
  /** `sqlite` is in it, the others are not. */
  database: z.enum(['sqlite', 'mysql', 'postgres']),
  has_key: z.boolean(),
  folders: z.array(z.strictObject({ path, mode })),
  links: z.array(z.strictObject({ path, target: z.string() })),
  files: z.array(z.strictObject({ path, mode, size: z.int(), sha256: z.string() })),
  /** What could not be copied, or only in part: it is not in it. */
  left_out: z.array(path).default([]),
})
export type Manifest = z.infer<typeof manifestSchema>
export type BackupFile = Manifest['files'][number]

export const names = {
  manifest: 'manifest.json',
  /** What was in the data directory. */
  files: 'files',
  database: 'dataagent.db',
  key: 'master.key',
} as const

/** Where the database of the settings is. */
export type DatabasePlace =
  | { kind: 'sqlite'; path: string }
  | { kind: 'mysql' | 'postgres'; url: string }
