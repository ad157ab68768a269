import { z } from 'zod'
import { timestamp, wholeNumber } from '../scalars.ts'

const path = z.string().min(1).max(4096)

/** GET /api/v1/files: what is in a folder; without a path in the uppermost one. */
export const filesQuerySchema = z.strictObject({ path: path.exactOptional() })
export type FilesQuery = z.infer<typeof filesQuerySchema>

/** GET and PUT /api/v1/files/content, DELETE /api/v1/files */
export const fileQuerySchema = z.strictObject({ path })
export type FileQuery = z.infer<typeof fileQuerySchema>

/** `path` is from the workspace's root, as other routes take it. */
export const fileInfoSchema = z.object({
  path: z.string(),
  kind: z.enum(['file', 'dir', 'link', 'other']),
  size: wholeNumber,
  modified_at: timestamp,
})
export type FileInfo = z.infer<typeof fileInfoSchema>

/** By path. */
export const fileListSchema = z.object({
  path: z.string(),
  entries: z.array(fileInfoSchema),
  truncated: z.boolean().meta({ description: 'Whether there is more than is listed' }),
})
export type FileList = z.infer<typeof fileListSchema>

/** GET /api/v1/workspace; `none` is not made yet. */
export const workspaceInfoSchema = z.object({
  status: z.enum(['active', 'archived', 'none']),
  bytes: wholeNumber,
  files: wholeNumber,
  dirs: wholeNumber,
  quota_bytes: wholeNumber,
  left_bytes: wholeNumber,
})
export type WorkspaceInfo = z.infer<typeof workspaceInfoSchema>
