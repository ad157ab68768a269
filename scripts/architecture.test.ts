import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { isTestPath } from './checks/tree.mjs'
import { rowsOf } from './readme/page-blocks.ts'
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
    const path = placeOf(file)
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

/** A name without a folder is that of a file which the map names elsewhere. */
function placeOf(file: string): string | undefined {
  const known = file.includes('/') ? file : paths.find((path) => basename(path) === file)
  return known && join(root, known)
}

test('every key that crosses processes stands in a file that is named beside it', () => {
  const [, section = ''] = page.split('## What crosses processes')
  const [, , ...rows] = rowsOf(section)
  const wrong = rows.flatMap(([, keys = '', files = '']) => {
    const source = namesIn(files).map(sourceOf).join('\n')
    // Of `session:<id>` the part before the id.
    const beginnings = namesIn(keys).map((key) => key.split('<')[0]!)
    return beginnings.filter((key) => !source.includes(key)).map((key) => [key, files])
  })
  expect(rows.length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** Of a folder, all files that are not for tests. */
function sourceOf(file: string): string {
  const place = placeOf(file)
  if (place === undefined) return ''
  const inside = file.endsWith('/') ? globSync('**/*.ts', { cwd: place }) : ['']
  const files = inside.filter((name) => !isTestPath(`/${name}`))
  return files.map((name) => readFileSync(join(place, name), 'utf8')).join('\n')
}
