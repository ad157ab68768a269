import { argv } from 'node:process'
import { makeRetailSample } from './make-retail-sample.ts'

// Makes a sample in the folder that it is given, to be killed meanwhile.
const [, , folder = ''] = argv
await makeRetailSample({ folder, until: new Date('2026-11-17') })
