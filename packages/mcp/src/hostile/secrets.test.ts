import { inspect } from 'node:util'
import { createCanary, expectNoCanary, type HostileMode, modesOn } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createMcpManager } from '../manager/manager.ts'
import { createHostileInn } from './test-hostile.ts'
import { failureOf } from './test-outcomes.ts'

const failing: HostileMode[] = [
  'unauthorized',
  'server_errors',
  'redirect_loop',
  'huge_header',
  'wrong_content_type',
  'crash_mid_call',
  'wrong_shape',
  'reflects_headers',
]

describe.each(['http', 'sse'] as const)('what is told of a failure over %s', (transport) => {
  test('never holds the headers that we sent, not even where the server says them back', async () => {
    await using inn = await createHostileInn(transport)
    const canary = createCanary()
    for (const mode of failing.filter((each) => modesOn(transport).includes(each))) {
      const told: unknown[] = []
      await using hostile = await inn.invite(mode)
      await using manager = createMcpManager({ onEvent: (event) => told.push(event) })
      const headers = { authorization: canary.header, 'x-api-key': canary.apiKey }
      await manager.addServer({ ...hostile.config('bad'), headers })
      const error = await failureOf(manager.callTool('mcp.bad.count'))
      expect(error.message).toMatch(/^mcp: /)
      const text = inspect([error, told], { depth: 12, showHidden: true })
      await expectNoCanary([canary], [{ name: mode, text }])
    }
  })
})
