export { createPeople } from './people.ts'
export { createServeGateway, type ServeGateway } from './serve-gateway.ts'
export { createVisitors } from './visitor.ts'
