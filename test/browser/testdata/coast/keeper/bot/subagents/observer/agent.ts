import { defineAgent } from "@cursor/bdk";

export default defineAgent({ description: "Looks at one station and says in a sentence what it is like there.", instructions: "Read the gauge, then say it in a sentence." });
