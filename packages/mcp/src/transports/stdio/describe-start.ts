import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createMcpManager } from '../../manager/manager.ts'
import { childrenOf, isAlive } from './test-processes.ts'

export function describeStart(): void {
  describe('start', () => {
    test('TestStdioTransport_StartupTimeout: a server that does not answer within its timeout is given up and leaves no child', async () => {
      const mark = crypto.randomUUID()
      const args = ['-c', `: ${mark}; sleep 600 & cat > /dev/null`]
      const config = {
        name: 'silent',
        transport: 'stdio',
        command: 'sh',
        args,
        // Long enough for its children to be seen on a busy machine.
        timeout: 2,
      } as const
      const manager = createMcpManager()
      const asked = performance.now()
      const adding = manager.addServer(config).catch((error: unknown) => error)
      const family = await waitFor(() => {
        const [shell] = childrenOf(process.pid, mark)
        const found = shell === undefined ? [] : [shell, ...childrenOf(shell, '')]
        return found.length === 3 ? found : undefined
      })
      expect(await adding).toMatchObject({ kind: 'timeout', code: 'timeout' })
      expect(performance.now() - asked).toBeGreaterThan(1_950)
      expect(family.filter(isAlive)).toEqual([])
      expect(manager.serverNames()).toEqual([])
      await manager.disconnectAll()
    })
  })
}
