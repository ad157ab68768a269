export { createConcealedUpstreams } from './concealed-upstreams.ts'
