export { type Asking, runLoad } from './run-load.ts'
