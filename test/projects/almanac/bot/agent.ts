import { defineAgent } from "@cursor/bdk";

export default defineAgent({ name: "Almanac", description: "Knows the moon, and how long a cable is." });
