import { allowAll, defineChannel, GET, POST } from "@cursor/bdk/channels";
import { back } from "../lib/back.js";

export default defineChannel({
  description: "The desk of the night.",
  auth: [allowAll()],
  routes: [
    POST("/", { handler: back }),
    POST("/ring", { description: "Rings by night", handler: back }),
    GET("/help", { description: "What the night desk does", handler: back }),
  ],
});
