import type { ServerInfo } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { toExport } from './to-export.ts'

test('a server is exported as others read it, without what is usual and without its secrets', () => {
  const info = {
    ...{ server_id: 's', scope: 'tenant', user_id: null, status_fault: 'timeout' },
    ...{ status: 'running', tool_count: 1, created_at: 1 },
    ...{ updated_at: 1, name: 'files', transport: 'stdio', command: 'npx', args: ['-y', 'x'] },
    ...{ env: { API_KEY: { set: true, last4: 'abcd' } }, timeout: 30, maxTools: 5 },
    ...{ allowedTools: [], toolTimeouts: {}, disabled: false, approval: 'ask' },
  } as unknown as ServerInfo
  expect(toExport(info)).toEqual({
    mcpServers: {
      files: {
        ...{ type: 'stdio', command: 'npx', args: ['-y', 'x'], maxTools: 5, approval: 'ask' },
        env: { API_KEY: '<API_KEY>' },
      },
    },
  })
})
