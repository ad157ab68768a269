export { addPages } from './pages.ts'
