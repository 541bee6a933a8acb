CREATE TABLE "_metadata" (
    "key" text NOT NULL,
    "value" text,
    CONSTRAINT "_pk__metadata" PRIMARY KEY ("key")
);
CREATE TABLE "_sequence" (
    "name" text NOT NULL,
    "next" bigint NOT NULL,
    CONSTRAINT "_pk__sequence" PRIMARY KEY ("name")
);
CREATE TABLE "_migration" (
    "id" bigint NOT NULL,
    "source" text,
    "destination" text,
    "checksum" text,
    "started" double precision,
    "finished" double precision,
    CONSTRAINT "_pk__migration" PRIMARY KEY ("id")
);
CREATE TABLE "entity_text" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "property_xmin_2" text,
    "property_ctid" bigint,
    "property_xmin" text,
    "abcdefghijabcdefghijabcdefghijabcdefghijabcdef_6be680e8ec50ff85" text,
    "abcdefghijabcdefghijabcdefghijabcdefghijabcdef_6be67de8ec50fa6c" text,
    "Name" text,
    "select" boolean,
    "abcdefghijabcdefghijabcdefghijabcdefghijabcdef_77745c2924712dd6" bigint,
    CONSTRAINT "_pk_entity_text" PRIMARY KEY ("_id")
);
CREATE TABLE "abcdefghijabcdefghijabcdefghijabcdefghijabcdef_77745c2924712dd6" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "user" uuid,
    CONSTRAINT "_pk_abcdefghijabcdefghijabcdefghijabcdefghijab_2ebb946544d19e2a" PRIMARY KEY ("_id")
);
CREATE TABLE "abcdefghijabcdefghijabcdefghijabcdefghijabcdef_6be647e8ec509eaa" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "ü" numeric,
    CONSTRAINT "_pk_abcdefghijabcdefghijabcdefghijabcdefghijab_87c267f9617b912a" PRIMARY KEY ("_id")
);
CREATE TABLE "entity_uuid" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "uuid" uuid,
    CONSTRAINT "_pk_entity_uuid" PRIMARY KEY ("_id")
);
CREATE TABLE "pg_class" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "oid" bigint,
    CONSTRAINT "_pk_pg_class" PRIMARY KEY ("_id")
);
CREATE TABLE "_save" (
    "id" bigint NOT NULL DEFAULT unique_rowid(),
    "origin" bigint NOT NULL,
    "number" bigint NOT NULL,
    "at" double precision NOT NULL,
    "author" text,
    "context" text,
    "changes" text,
    CONSTRAINT "_pk__save" PRIMARY KEY ("origin", "number")
);
CREATE INDEX "_save_id" ON "_save" ("id");
CREATE TABLE "_save_part" (
    "origin" bigint NOT NULL,
    "number" bigint NOT NULL,
    "part" bigint NOT NULL,
    "changes" text NOT NULL,
    CONSTRAINT "_pk__save_part" PRIMARY KEY ("origin", "number", "part"),
    FOREIGN KEY ("origin", "number") REFERENCES "_save" ("origin", "number") ON DELETE CASCADE
);
CREATE INDEX "text_abcdefghijabcdefghijabcdefghijabcdefghija_7939db01ee732a38" ON "entity_text" ("abcdefghijabcdefghijabcdefghijabcdefghijabcdef_77745c2924712dd6");
CREATE UNIQUE INDEX "abcdefghijabcdefghijabcdefghijabcdefghijabcdef_d5023b359629cd68" ON "abcdefghijabcdefghijabcdefghijabcdefghijabcdef_77745c2924712dd6" ("user");
