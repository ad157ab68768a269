import { join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = import.meta.dirname

/**
 * Makes one file of a program and all that it imports; the program is then a start of Node away.
 */
export async function bundleProgram(name: string, into: string): Promise<string> {
  const bundle = await rolldown({
    input: join(folder, `${name}.ts`),
    platform: 'node',
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' } },
    resolve: {
      conditionNames: ['dataagent-source', 'node', 'import', 'default'],
      // Ink asks for it where it is being debugged.
      alias: { 'react-devtools-core': false },
    },
    logLevel: 'silent',
  })
  const program = join(into, `${name}.js`)
  await bundle.write({ file: program, format: 'esm', codeSplitting: false, minify: true })
  await bundle.close()
  return program
}
