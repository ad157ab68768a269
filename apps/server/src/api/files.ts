import { posix } from 'node:path'
import {
  fileInfoSchema,
  fileListSchema,
  fileQuerySchema,
  filesQuerySchema,
  fileWriteQuerySchema,
  workspaceInfoSchema,
} from '@dataagent/schema'
import { defineRoute, type Owner, ownerOf, type Route } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { receiveFile, sendFile, toFileInfo } from './files-content.ts'

const shared = { tag: 'files', access: 'user' } as const

/** The caller's own workspace [D32.3]. */
export function fileRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...shared, method: 'GET', path: '/workspace', summary: 'How full your workspace is.' },
      answer: workspaceInfoSchema,
      handle: ({ principal }) => platform().workspaces.usage(ownOf(principal)),
    }),
    defineRoute({
      ...{ ...shared, method: 'GET', path: '/files', summary: 'What is in a folder, by path.' },
      query: filesQuerySchema,
      answer: fileListSchema,
      async handle({ principal, query: { path = '.' }, signal }) {
        const list = await platform().workspaces.use(ownOf(principal), (workspace) =>
          workspace.list(path, { signal }),
        )
        const entries = list.entries.map((entry) => toFileInfo(posix.join(path, entry.path), entry))
        return { path, entries, truncated: list.truncated }
      },
    }),
    defineRoute({
      ...{
        ...shared,
        method: 'DELETE',
        path: '/files',
        summary: 'Removes a file or empty folder.',
      },
      query: fileQuerySchema,
      handle: ({ principal, query: { path } }) =>
        platform().workspaces.use(ownOf(principal), (workspace) => workspace.remove(path)),
    }),
    defineRoute({
      ...{ ...shared, method: 'GET', path: '/files/content', summary: 'The bytes of a file.' },
      query: fileQuerySchema,
      raw: { produces: 'application/octet-stream' },
      handle: ({ principal, query: { path }, reply, signal }) =>
        platform().workspaces.use(ownOf(principal), (workspace) =>
          sendFile(workspace, path, { reply, signal }),
        ),
    }),
    defineRoute({
      ...{ ...shared, method: 'PUT', path: '/files/content' },
      summary: 'Creates or replaces a file with the bytes that are sent.',
      query: fileWriteQuerySchema,
      raw: { consumes: 'application/octet-stream' },
      answer: fileInfoSchema,
      handle: ({ principal, query: { path, replace }, request }) =>
        platform().workspaces.use(ownOf(principal), (workspace) =>
          receiveFile(workspace, path, { request, isNew: replace === 'false' }),
        ),
    }),
  ]
}

function ownOf(principal: Principal): Owner {
  return ownerOf(principal, principal.user_id)
}
