import { execFile } from 'node:child_process'
import { lstat, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readServers, usableServers } from './read-servers.ts'
import { testPlace } from './test-place.ts'
import { addServer, removeServer, setEnabled } from './write-servers.ts'

const files = { name: 'files', command: 'npx', args: ['-y', 'files'] }
const web = { name: 'web', transport: 'http', url: 'https://mcp.example/mcp' } as const

test('a new file is for its user alone, in the form that other programs read', async () => {
  await using place = await testPlace()
  expect(await addServer(place.userFile, files)).toEqual({ status: 'written', lostComments: false })
  await addServer(place.userFile, web)
  expect(JSON.parse(await readFile(place.userFile, 'utf8'))).toEqual({
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'files'] },
      web: { type: 'http', url: 'https://mcp.example/mcp' },
    },
  })
  expect((await stat(place.userFile)).mode & 0o777).toBe(0o600)
  expect(usableServers(await readServers(place))).toHaveLength(2)
})

test("what others keep in the file, and the person's comments, stay as they were", async () => {
  await using place = await testPlace()
  const text = `{
    "theme": "dark", // not ours
    "servers": [
        { "name": "a", "command": "x", "theirs": [1, 2] } // mine
    ]
}
`
  await place.putUser(text)
  await addServer(place.userFile, web)
  await setEnabled(place.userFile, 'a', false)
  expect(await readFile(place.userFile, 'utf8')).toBe(`{
    "theme": "dark", // not ours
    "servers": [
        { "name": "a", "command": "x", "theirs": [1, 2], "disabled": true }, // mine
        {
            "name": "web",
            "type": "http",
            "url": "https://mcp.example/mcp"
        }
    ]
}
`)
  await setEnabled(place.userFile, 'a', true)
  const removed = await removeServer(place.userFile, 'web')
  expect(removed).toEqual({ status: 'written', lostComments: false })
  expect(await readFile(place.userFile, 'utf8')).toBe(
    text.replace('[1, 2] }', '[1, 2], "disabled": false }'),
  )
})

test('where comments go with what is removed, the file as it was is kept', async () => {
  await using place = await testPlace()
  const text = '{ "mcpServers": {\n  "a": { /* why */ "command": "x" }\n} }\n'
  await place.putUser(text)
  const removed = await removeServer(place.userFile, 'a')
  expect(removed).toEqual({ status: 'written', lostComments: true })
  expect(await readFile(`${place.userFile}.bak`, 'utf8')).toBe(text)
  expect(JSON.parse(await readFile(place.userFile, 'utf8'))).toEqual({ mcpServers: {} })
})

test('a name that is taken is not overwritten unless so asked; an unknown one is missing', async () => {
  await using place = await testPlace()
  await addServer(place.userFile, files)
  const other = { ...files, command: 'uvx' }
  expect(await addServer(place.userFile, other)).toEqual({ status: 'taken' })
  await addServer(place.userFile, other, { replaces: true })
  expect(usableServers(await readServers(place))).toMatchObject([{ command: 'uvx' }])
  expect(await removeServer(place.userFile, 'gone')).toEqual({ status: 'missing' })
  expect(await setEnabled(place.userFile, 'gone', false)).toEqual({ status: 'missing' })
  expect(await removeServer(join(place.home, 'none', 'mcp.json'), 'gone')).toEqual({
    status: 'missing',
  })
})

test('a file that cannot be read is left alone', async () => {
  await using place = await testPlace()
  await place.putUser('{"mcpServers": {')
  await expect(addServer(place.userFile, files)).rejects.toThrow(/mcp\.json: line 1: expected/)
  expect(await readFile(place.userFile, 'utf8')).toBe('{"mcpServers": {')
  await place.putUser('[]')
  await expect(addServer(place.userFile, files)).rejects.toThrow('expected an object')
})

test('where a link stands, the file that it points to is changed', async () => {
  await using place = await testPlace()
  await addServer(place.userFile, files)
  const link = join(place.home, 'link.json')
  await symlink(place.userFile, link)
  await addServer(link, web)
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect(usableServers(await readServers(place))).toHaveLength(2)
})

test('many programs that change it at once all find their change in it, and leave no file', async () => {
  await using place = await testPlace()
  const names = Array.from({ length: 20 }, (_, at) => `server-${at}`)
  await Promise.all(names.map((name) => addServer(place.userFile, { ...files, name })))
  const found = usableServers(await readServers(place)).map(({ name }) => name)
  expect(found.toSorted()).toEqual(names.toSorted())
  expect(await readdir(dirname(place.userFile))).toEqual(['mcp.json'])
})

test('two processes that change it at once lose nothing of each other', async () => {
  await using place = await testPlace()
  const module = new URL('./write-servers.ts', import.meta.url).href
  const program = `
    const { addServer } = await import(${JSON.stringify(module)})
    const [path, prefix] = process.argv.slice(1)
    for (let at = 0; at < 10; at++) await addServer(path, { name: prefix + at, command: 'x' })`
  const options = ['--conditions=dataagent-source', '--input-type=module', '-e', program]
  const add = (prefix: string) =>
    promisify(execFile)(process.execPath, [...options, place.userFile, prefix])
  await Promise.all([add('a'), add('b')])
  expect(usableServers(await readServers(place))).toHaveLength(20)
})

test('the lock of a program that was killed holds nobody up', async () => {
  await using place = await testPlace()
  await addServer(place.userFile, files)
  const lock = `${place.userFile}.lock`
  await writeFile(lock, '1')
  const old = new Date(Date.now() - 60_000)
  await utimes(lock, old, old)
  expect(await addServer(place.userFile, web)).toMatchObject({ status: 'written' })
})
