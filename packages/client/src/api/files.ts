import {
  type FilesQuery,
  fileInfoSchema,
  fileListSchema,
  type UsersQuery,
  workspaceInfoSchema,
  workspacesPageSchema,
} from '@dataagent/schema'
import type { CallOptions, QueryOf, Verbs } from '../http/index.ts'

/** The caller's workspace. */
export function createFilesApi({ get, put, tell, open }: Verbs) {
  return {
    list: (query: QueryOf<FilesQuery> = {}, options?: CallOptions) =>
      get('/files', { query, answer: fileListSchema, ...options }),
    /** The bytes, as the answer that holds them. */
    read: (path: string, options?: CallOptions) =>
      open('/files/content', { query: { path }, accept: '*/*', ...options }),
    /** With `replace: false` a file that is there stays, and it is a `conflict`. */
    write: (
      path: string,
      bytes: NonNullable<RequestInit['body']>,
      { replace, ...options }: CallOptions & { replace?: boolean } = {},
    ) =>
      put('/files/content', {
        query: { path, ...(replace !== undefined && { replace }) },
        ...{ bytes, answer: fileInfoSchema, ...options },
      }),
    delete: (path: string, options?: CallOptions) =>
      tell('DELETE', '/files', { query: { path }, ...options }),
    workspace: (options?: CallOptions) =>
      get('/workspace', { answer: workspaceInfoSchema, ...options }),
    /** How full those of a tenant's users are, for who manages or audits it. */
    workspaces: (query: QueryOf<UsersQuery> = {}, options?: CallOptions) =>
      get('/workspaces', { query, answer: workspacesPageSchema, ...options }),
  }
}
