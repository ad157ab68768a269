import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * @typedef {object} BundleOptions
 * @property {Record<string, string>} input The file of each program, by its name.
 * @property {string} to The folder that it is written to.
 * @property {RegExp[]} [external] What is left to be imported.
 * @property {import('rolldown').Plugin[]} [plugins]
 */

/**
 * Writes programs with the packages that they need in them.
 * @param {BundleOptions} options
 */
export async function bundle({ input, to, external = [], plugins = [] }) {
  const made = await rolldown({
    ...{ input, external, platform: 'node' },
    resolve: { conditionNames: ['dataagent-source', 'node', 'import', 'default'] },
    // Modules of ours do nothing when they are loaded: what is not used of them is left out.
    treeshake: {
      moduleSideEffects: [
        { test: /\/(?:packages|apps|examples)\/[^/]+\/(?!(?:src\/)?main\.ts)/, sideEffects: false },
      ],
    },
    plugins: [...plugins, tellLicences()],
    onLog: (level, log) => {
      if (level === 'warn') process.stderr.write(`${log.message}\n`)
    },
  })
  await made.write({
    dir: to,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  })
  await made.close()
}

/**
 * Writes beside the programs whose code is in them, and on what terms.
 * @returns {import('rolldown').Plugin}
 */
function tellLicences() {
  return {
    name: 'tell-licences',
    async generateBundle(_options, output) {
      const parts = Object.values(output)
      const ids = parts.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
      const folders = [...new Set(ids.flatMap(toPackageFolder))].sort()
      const texts = await Promise.all(folders.map(toLicence))
      const source = texts.join(`\n${'-'.repeat(80)}\n\n`)
      this.emitFile({ type: 'asset', fileName: 'third-party-licenses.txt', source })
    },
  }
}

/** @returns {string[]} none where it is ours */
function toPackageFolder(/** @type {string} */ id) {
  const found = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(id)
  return found ? [found[0]] : []
}

async function toLicence(/** @type {string} */ folder) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const { name, version, license, author } = manifest
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice)\b/i.test(file))
  const found = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const texts = found.length > 0 ? found : [`By ${author?.name ?? author}`]
  return `${name} ${version}, ${license}\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`
}
