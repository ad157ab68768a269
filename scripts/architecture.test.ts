import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { repository as root } from './setup/paths.mjs'

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const paths = [...page.matchAll(/`((?:packages|apps)\/[\w./-]+)`/g)].map(([, path = '']) => path)

test('every file and folder that the map names is there', () => {
  expect(paths.length).toBeGreaterThan(60)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the table of rooms has every workspace', () => {
  const rooms = [...page.matchAll(/^\| `([\w/]+)` \|/gm)].map(([, room = '']) => room)
  const inside = ['packages', 'apps'].flatMap((place) =>
    readdirSync(join(root, place)).map((name) => `${place}/${name}`),
  )
  expect(rooms.toSorted()).toEqual([...inside, 'bench', 'examples', 'faults'].toSorted())
})

test('every function of a step stands in the file that is named behind it', () => {
  const steps = [...page.matchAll(/((?:`\w+`,? (?:and |of |in )?)+)\(`([\w./-]+\.ts)`/g)]
  const wrong = steps.flatMap(([, names = '', file = '']) => {
    const path = file.includes('/')
      ? join(root, file)
      : paths.map((known) => join(root, known)).find((known) => basename(known) === file)
    if (path === undefined || !existsSync(path)) return []
    const source = readFileSync(path, 'utf8')
    const named = [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    return named
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
      .map((name) => [name, file])
  })
  expect(steps.length).toBeGreaterThan(30)
  expect(wrong).toEqual([])
})
