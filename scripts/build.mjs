// npm run build [-- ROOT]: writes dist/ (JavaScript and types) of every package that is published.
import { argv, exit } from 'node:process'
import { buildPackage } from './build/build-package.mjs'
import { publishedPackages } from './build/published-packages.mjs'
import { repository } from './setup/paths.mjs'

const root = argv[2] ?? repository
for (const published of await publishedPackages(root)) {
  const start = performance.now()
  await buildPackage(root, published).catch(fail)
  console.log(`${published.dir}/dist  ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

function fail(/** @type {Error} */ { message }) {
  console.error(message.trimEnd())
  exit(1)
}
