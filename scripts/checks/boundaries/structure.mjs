import { isTest } from '../tree.mjs'
import { rowOf } from './rooms.mjs'

/**
 * A package with rooms has those the table expects, and each exports its surface from `index.ts`.
 * @type {import('../findings.mjs').Check}
 */
export function checkStructure({ packages, files }) {
  return packages.flatMap(({ dir, files: own }) => {
    const row = rowOf(dir)
    if (!row?.rooms) return []
    const rooms = new Set([...own.flatMap((file) => roomIn(dir, file)), ...(row.expects ?? [])])
    return [...rooms]
      .map((room) => `${dir}/src/${room}/index.ts`)
      .filter((index) => !files.has(index))
      .map((index) => ({
        file: index,
        rule: 'room',
        message: 'the room has no index.ts that lists what other rooms may use',
      }))
  })
}

/** The room that a file belongs to; what only tests use makes none. */
function roomIn(/** @type {string} */ dir, /** @type {import('../tree.mjs').SourceFile} */ file) {
  const [src, room, ...rest] = file.path.slice(dir.length + 1).split('/')
  return src === 'src' && room !== undefined && rest.length > 0 && !isTest(file) ? [room] : []
}
