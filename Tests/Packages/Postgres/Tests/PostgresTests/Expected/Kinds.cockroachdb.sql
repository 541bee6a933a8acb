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
CREATE TABLE "Kinds" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "short" bigint,
    "int" bigint,
    "long" bigint,
    "flag" boolean,
    "double" double precision,
    "float" double precision,
    "price" numeric,
    "name" text,
    "date" double precision,
    "uuid" uuid,
    "page" text,
    "data" bytea,
    "photo" bigint,
    CONSTRAINT "_pk_Kinds" PRIMARY KEY ("_id")
);
CREATE TABLE "_external_Kinds_photo" (
    "_id" bigint NOT NULL,
    "bytes" bytea NOT NULL,
    CONSTRAINT "_pk__external_Kinds_photo" PRIMARY KEY ("_id")
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
