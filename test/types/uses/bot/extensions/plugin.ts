import { cursorPlugin } from "@cursor/bdk/extensions";

export default cursorPlugin({ path: "plugins/notes", variables: { TOKEN: process.env.TOKEN } });
