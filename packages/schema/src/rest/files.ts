import { z } from 'zod'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { pageFields, queryFlag } from './page.ts'

const path = z.string().min(1).max(4096)

/** GET /api/v1/files: what is in a folder; without a path in the uppermost one. */
export const filesQuerySchema = z.strictObject({ path: path.exactOptional() })
export type FilesQuery = z.infer<typeof filesQuerySchema>

/** GET /api/v1/files/content, DELETE /api/v1/files */
export const fileQuerySchema = z.strictObject({ path })
export type FileQuery = z.infer<typeof fileQuerySchema>

/** PUT /api/v1/files/content */
export const fileWriteQuerySchema = fileQuerySchema.extend({
  replace: queryFlag.exactOptional().meta({
    description: 'With `false` a file that is there stays: `conflict`',
  }),
})

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

const workspaceStatus = z.enum(['active', 'archived', 'none'])

/** GET /api/v1/workspace; `none` is not made yet. */
export const workspaceInfoSchema = z.object({
  status: workspaceStatus,
  bytes: wholeNumber,
  files: wholeNumber,
  dirs: wholeNumber,
  quota_bytes: wholeNumber,
  left_bytes: wholeNumber,
})
export type WorkspaceInfo = z.infer<typeof workspaceInfoSchema>

/** GET /api/v1/workspaces: those of a tenant's users, by user; it takes what GET /users takes. */
export const workspacesPageSchema = z.object({
  workspaces: z.array(
    z.object({
      tenant_id: id,
      user_id: id,
      name: z.string(),
      status: z.enum([...workspaceStatus.options, 'unknown']),
      bytes: wholeNumber.nullable().meta({
        description: 'Null where the workspace could not be measured now: its status is `unknown`',
      }),
      quota_bytes: wholeNumber,
      used_at: timestamp.nullable().meta({
        description:
          'When it was last used, to the minute; of an archived one when it was archived',
      }),
    }),
  ),
  ...pageFields,
})
export type WorkspacesPage = z.infer<typeof workspacesPageSchema>
