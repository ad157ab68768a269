import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatResponse } from '@dataagent/schema'
import { lastUserText, temporaryDirectory, toolRounds } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestPlatform } from '../testing/test-platform.ts'
import { openSkills } from './skills.ts'

const tools = `export default ({ defineTool, z }) => defineTool({
  name: 'week_of',
  description: 'The week of a day',
  input: z.object({ day: z.int() }),
  run: ({ day }, { principal }) => principal.user_id + ': week ' + Math.ceil(day / 7),
})`

async function writeSkill(dir: string, name: string, module: string) {
  const folder = join(dir, 'skills', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: d\n---\nDo it.`)
  await writeFile(join(folder, 'tools.js'), module)
}

test('a tool from the folder of a skill is offered in a chat and runs for its user [D7.3]', async () => {
  await using directory = await temporaryDirectory()
  await writeSkill(directory.path, 'week', tools)
  await writeSkill(directory.path, 'broken', 'export default 1')
  await using server = await startTestPlatform({
    dir: directory.path,
    script: (request) =>
      toolRounds(request) > 0
        ? { text: 'Done.' }
        : { toolCalls: [{ name: 'week_of', arguments: { day: Number(lastUserText(request)) } }] },
  })
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { json: { message: '15' } })
  expect(server.model.requests[0]?.tools.map(({ name }) => name)).toContain('week_of')
  const results = body.events.filter(({ event_type }) => event_type === 'tool_result')
  expect(results).toMatchObject([{ status: 'success', result: 'ada: week 3' }])
  expect(server.records).toContainEqual(
    expect.objectContaining({
      message: 'a skill cannot be used',
      path: join(directory.path, 'skills', 'broken'),
    }),
  )
})

test('there are none where nobody has put any', async () => {
  await using directory = await temporaryDirectory()
  await using server = await startTestPlatform({ dir: directory.path })
  const { config, log } = server.platform
  expect(await openSkills(config, log)).toMatchObject({ skillTools: [] })
})
