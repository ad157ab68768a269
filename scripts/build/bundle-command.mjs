// node scripts/build/bundle-command.mjs [ROOT]: writes apps/cli/dist, what `dataagent` loads in the
// repository and where it is installed. The platform is not in it: it is a process of its own.
import { rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { repository } from '../setup/paths.mjs'
import { bundle } from './bundle.mjs'

const toPath = "process.getBuiltinModule('node:url').fileURLToPath"
const toFolder = "process.getBuiltinModule('node:path').dirname"
const places = '\0places'
/** The package that is published has no sources. */
const placesCode = `
import { existsSync } from 'node:fs'
const isRepository = existsSync(new URL('../src', import.meta.url))
export const placeOfModule = (source, name, file) =>
  isRepository || name === undefined
    ? new URL(source, import.meta.url).href
    : new URL(file, import.meta.resolve(name)).href`

if (import.meta.main) {
  const root = argv[2] ?? repository
  const dist = join(root, 'apps/cli/dist')
  await rm(dist, { recursive: true, force: true })
  await bundleCommand(root, dist)
}

/**
 * @param {string} root
 * @param {string} to
 */
export async function bundleCommand(root, to) {
  await bundle({
    ...{ to, input: { main: join(root, 'apps/cli/src/main.ts') }, plugins: [keepPlaces(root)] },
    // Large, loaded when they are asked for, and one of them partly native.
    external: [/^(?:echarts|mysql2|pg|@duckdb\/node-api|@modelcontextprotocol\/server)(?:\/|$)/],
  })
}

/**
 * A module that asks where it is gets the place of its source, or where that is not, of the same
 * file in the installed package: what lies beside it is not in dist/.
 * @param {string} root
 * @returns {import('rolldown').Plugin}
 */
function keepPlaces(root) {
  return {
    name: 'keep-places',
    resolveId: (id) => (id === places ? id : undefined),
    load: (id) => (id === places ? placesCode : undefined),
    transform: {
      filter: { id: /^[^\0]/, code: /import\.meta\.(?:url|dirname|filename)/ },
      handler(code, id) {
        const place = toPlace(root, id)
        const forms = { url: place, filename: `${toPath}(${place})` }
        const said = { ...forms, dirname: `${toFolder}(${forms.filename})` }
        const changed = code.replace(
          /\bimport\.meta\.(url|dirname|filename)\b/g,
          (_found, asked) => said[/** @type {keyof typeof said} */ (asked)],
        )
        return `import { placeOfModule } from ${JSON.stringify(places)};${changed}`
      },
    },
  }
}

/**
 * An expression for the URL of a module.
 * @param {string} root
 * @param {string} id
 */
function toPlace(root, id) {
  const source = relative(join(root, 'apps/cli/dist'), id)
  const words = [source, ...toInstalled(root, id)].map((path) => path.split(sep).join('/'))
  return `placeOfModule(${words.map((word) => JSON.stringify(word)).join(', ')})`
}

/**
 * The package that has it where it is installed, and the way from that one's main file; empty for
 * the command's own.
 * @param {string} root
 * @param {string} id
 */
function toInstalled(root, id) {
  const [first, folder, , ...rest] = relative(root, id).split(sep)
  if (first === 'apps') return []
  if (first === 'packages') return [`@dataagent/${folder}`, rest.join('/').replace(/ts$/, 'js')]
  const name = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1] ?? ''
  return [name, relative(dirname(fileURLToPath(import.meta.resolve(name))), id)]
}
