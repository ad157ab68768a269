import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openTestWorkspace } from './test-workspace.ts'

const kills = longCount(5, 200)

test(
  `a process killed while it writes leaves a whole file, ${kills} times [T54]`,
  async () => {
    await using t = await openTestWorkspace()
    let leftovers = 0
    // A few strokes may all miss a write: it goes on until one has met one.
    for (let i = 0; i < kills || (leftovers === 0 && i < kills * 20); i++) {
      await writeAndKill(t.root)
      const { bytes } = await t.workspace.read('a')
      expect(bytes.length).toBe(200_000)
      expect(new Set(bytes).size).toBe(1)
      leftovers += (await readdir(t.root)).length - 1
      expect((await t.workspace.list()).entries.map(({ path }) => path)).toEqual(['a'])
      await t.workspace.sweep({ olderThanMs: 0 })
      expect(await readdir(t.root)).toEqual(['a'])
      expect((await t.workspace.usage()).bytes).toBe(200_000)
    }
    expect(leftovers).toBeGreaterThan(0)
  },
  longCount(120_000, 600_000),
)

async function writeAndKill(root: string): Promise<void> {
  const script = fileURLToPath(new URL('./test-writer.ts', import.meta.url))
  const writer = spawn(process.execPath, ['--conditions=dataagent-source', script, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(writer, 'spawn')
  await once(writer.stdout, 'data')
  // Not to wait for something: to be struck at a random moment of a write.
  await sleep(Math.random() * 30)
  const exited = once(writer, 'exit')
  writer.kill('SIGKILL')
  await exited
}
