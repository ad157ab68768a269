import { expect, test } from 'vitest'
import { bind, boundPart, isBound, nameEach, unbind } from './allow-list.ts'

const tool = (server_id: string, name: string) => ({ server_id, name })
const every = [tool('mall', 'get'), tool('mall', 'put'), tool('wiki', 'get')]

test('a tool is held by its name, by a pattern, or by a list of every server', () => {
  const entries = [
    { server_id: 'mall', tool: 'g*' },
    { server_id: '*', tool: 'put' },
  ]
  expect(every.map((one) => isBound(entries, one))).toEqual([true, true, false])
  expect(boundPart(entries, every)).toBe('some')
  expect([boundPart(entries, every.slice(0, 2)), boundPart([], every)]).toEqual(['all', 'none'])
})

test('binding adds what is missing, a name with a star in it as itself', () => {
  const entries = bind([{ server_id: 'mall', tool: 'get' }], [every[0]!, tool('mall', 'a*')])
  expect(entries).toEqual([
    { server_id: 'mall', tool: 'get' },
    { server_id: 'mall', tool: 'a\\*' },
  ])
})

test('unbinding one of a pattern lists the others by name', () => {
  const all = [{ server_id: '*', tool: '*' }]
  expect(unbind(all, [every[1]!], every)).toEqual([
    { server_id: 'mall', tool: 'get' },
    { server_id: 'wiki', tool: 'get' },
  ])
})

test('unbinding a whole server leaves the entries of others', () => {
  const entries = [
    { server_id: 'mall', tool: '*' },
    { server_id: 'wiki', tool: 'g*' },
  ]
  expect(unbind(entries, every.slice(0, 2), every)).toEqual([{ server_id: 'wiki', tool: 'g*' }])
})

test('a list that limits names each tool, also when it leaves none out', () => {
  const all = [{ server_id: '*', tool: '*' }]
  const names = [
    { server_id: 'mall', tool: 'get' },
    { server_id: 'mall', tool: 'put' },
    { server_id: 'wiki', tool: 'get' },
  ]
  expect(nameEach(all, [], every)).toEqual(names)
  expect(nameEach(all, [every[0]!], every)).toEqual(names.slice(1))
  expect(nameEach([{ server_id: 'mall', tool: '*' }], [], every)).toEqual(names.slice(0, 2))
})
