// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references as files have them
import { writeFileSync } from 'node:fs'
import { longCount, playMutated } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { readServers, usableServers, warningsOf } from './read-servers.ts'
import { testPlace } from './test-place.ts'

const samples = [
  '{"mcpServers":{"files":{"command":"npx","args":["-y","files"],"env":{"KEY":"${TOKEN}"}}}}',
  '{"servers":[{"name":"web","url":"https://${REGION}.example/mcp","headers":{"X":"$${Y}"}}]}',
  `{
    // as in an editor
    "mcpServers": {
      "old": { "type": "sse", "url": "https://mcp.example/sse", "autoApprove": ["*"] }, /* one */
      "off": { "command": "x", "disabled": true, "timeout": 30 },
    },
  }`,
]
const count = longCount(500, 300_000)

test(`each of ${count} mutated files of servers is read, or what is wrong is told [T16, T17]`, async () => {
  await using place = await testPlace()
  await place.putUser('{}')
  let [usable, told] = [0, 0]
  await playMutated({ samples, count }, async (text) => {
    writeFileSync(place.userFile, text)
    const found = await readServers(place)
    const warnings = warningsOf(found, 'en')
    for (const line of warnings) expect(line.length).toBeLessThan(1_000)
    for (const server of usableServers(found)) {
      expect(typeof server.name).toBe('string')
      expect(Object.getPrototypeOf(server)).toBe(Object.prototype)
      usable += 1
    }
    if (warnings.length > 0) told += 1
  })
  expect(usable).toBeGreaterThan(count / 20)
  expect(told).toBeGreaterThan(count / 10)
}, 3_600_000)
