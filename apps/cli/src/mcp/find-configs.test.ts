import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findConfigs } from './find-configs.ts'
import { testPlace } from './test-place.ts'

const one = { mcpServers: { one: { command: 'x' } } }

test.each([
  ['linux', ['.config']],
  ['darwin', ['Library', 'Application Support']],
  ['win32', ['AppData', 'Roaming']],
] as const)(
  'on %s the programs are looked for where they keep their files',
  async (platform, at) => {
    await using place = await testPlace()
    const { home, folder, put } = place
    await put(join(home, ...at, 'Claude', 'claude_desktop_config.json'), one)
    await put(join(home, ...at, 'Code', 'User', 'mcp.json'), {
      servers: one.mcpServers,
      inputs: [],
    })
    await put(join(home, '.codeium', 'windsurf', 'mcp_config.json'), one)
    await put(join(folder, '.gemini', 'settings.json'), { ...one, private: 'words' })
    const found = await findConfigs({ home, folder, env: {}, platform })
    expect(found.map(({ product }) => product)).toEqual([
      'Claude Desktop',
      'VS Code',
      'Windsurf',
      'Gemini',
    ])
    expect(found.map(({ isOfFolder }) => isOfFolder)).toEqual([false, false, false, true])
    for (const { text } of found) expect(JSON.parse(text)).toEqual(one)
  },
)

test('folders that the person has set count', async () => {
  await using place = await testPlace()
  const { home, folder, put } = place
  await put(join(home, 'elsewhere', 'Claude', 'claude_desktop_config.json'), one)
  const other = join(home, 'elsewhere')
  const byXdg = { home, folder, env: { XDG_CONFIG_HOME: other }, platform: 'linux' as const }
  const byAppData = { home, folder, env: { APPDATA: other }, platform: 'win32' as const }
  expect(await findConfigs(byXdg)).toHaveLength(1)
  expect(await findConfigs(byAppData)).toHaveLength(1)
})

test('of a large file with a history only what is said of servers is taken', async () => {
  await using place = await testPlace()
  const { home, folder, put } = place
  const history = new Array(20_000).fill({ display: 'private words '.repeat(10) })
  await put(join(home, '.claude.json'), { history, ...one, projects: { '/other': one } })
  const [found] = await findConfigs({ home, folder, env: {}, platform: 'linux' })
  expect(found?.text).toBe(JSON.stringify(one))
})
