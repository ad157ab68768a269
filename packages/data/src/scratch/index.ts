export { makeScratch } from './scratch.ts'
