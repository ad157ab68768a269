#!/usr/bin/env node
// The program `dataagent`, as it is installed. This file is all that an old Node gets to read.
import { readFileSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
const [oldest = ''] = /\d+\.\d+/.exec(JSON.parse(manifest).engines.node) ?? []

if (isNewEnough(process.version)) await import(main.href)
else {
  process.stderr.write(
    `dataagent: this needs Node ${oldest} or later, and this is ${process.version}. ` +
      `需要 Node ${oldest} 或更高版本。\n`,
  )
  process.exitCode = 1
}

function isNewEnough(/** @type {string} */ version) {
  const [major = 0, minor = 0] = numbersOf(version)
  const [least = 0, second = 0] = numbersOf(oldest)
  return major > least || (major === least && minor >= second)
}

function numbersOf(/** @type {string} */ version) {
  return version.replace('v', '').split('.').map(Number)
}
