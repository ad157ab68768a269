import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Smaller files are sent as they are: what they would save is not worth a header. */
const least = 1024

/**
 * Writes a compressed form beside each file that compresses well, for the server to send.
 * @param {string} folder
 * @returns {{ file: string, bytes: number, sent: number }[]} what each takes, whole and as sent
 */
export function compressFiles(folder) {
  return filesBelow(folder)
    .filter((file) => /\.(js|css|html|svg|json)$/.test(file))
    .map((file) => {
      const content = readFileSync(join(folder, file))
      if (content.length < least) return { file, bytes: content.length, sent: content.length }
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
      const brotli = brotliCompressSync(content, { params })
      writeFileSync(join(folder, `${file}.br`), brotli)
      writeFileSync(join(folder, `${file}.gz`), gzipSync(content, { level: 9 }))
      return { file, bytes: content.length, sent: brotli.length }
    })
}

/**
 * @param {string} folder
 * @param {string} [path]
 * @returns {string[]}
 */
function filesBelow(folder, path = '') {
  return readdirSync(join(folder, path)).flatMap((name) => {
    const file = join(path, name)
    return statSync(join(folder, file)).isDirectory() ? filesBelow(folder, file) : [file]
  })
}
